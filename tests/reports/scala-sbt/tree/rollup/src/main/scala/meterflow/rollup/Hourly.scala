package meterflow.rollup

import java.time.temporal.ChronoUnit
import meterflow.model.Reading

/** Hourly sums of the readings of one household. */
object Hourly:
  def sums(readings: List[Reading]): Map[String, Long] =
    readings.groupBy(_.at.truncatedTo(ChronoUnit.HOURS).toString).map((h, rs) =>
      h -> (rs.map(_.wattHours).max - rs.map(_.wattHours).min))
