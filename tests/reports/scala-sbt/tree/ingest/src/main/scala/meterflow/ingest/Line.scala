package meterflow.ingest

import java.time.Instant
import meterflow.model.{MeterId, Reading}

/** The text form of a reading: meter;time;watt-hours. */
object Line:
  def parse(text: String): Either[String, Reading] = text.split(';') match
    case Array(m, at, wh) => MeterId.parse(m).map(Reading(_, Instant.parse(at), wh.toLong))
    case _ => Left(s"no reading: $text")
