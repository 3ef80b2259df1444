package meterflow.model

import java.time.Instant

/** One reading of one meter: the counter in watt-hours. */
final case class Reading(meter: MeterId, at: Instant, wattHours: Long)

opaque type MeterId = String

object MeterId:
  def parse(text: String): Either[String, MeterId] =
    if text.matches("[A-Z]{2}\\d{8}") then Right(text) else Left(s"no meter: $text")
