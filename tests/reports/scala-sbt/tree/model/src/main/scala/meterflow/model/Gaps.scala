package meterflow.model

import java.time.Duration

/** Repairs gaps between readings by spreading the difference evenly. */
object Gaps:
  val Step: Duration = Duration.ofMinutes(15)

  def repair(readings: List[Reading]): List[Reading] = readings match
    case a :: b :: rest =>
      val missing = (Duration.between(a.at, b.at).toMinutes / Step.toMinutes - 1).toInt.max(0)
      val per = (b.wattHours - a.wattHours) / (missing + 1)
      val filled = (1 to missing).toList.map(i => Reading(a.meter, a.at.plus(Step.multipliedBy(i)), a.wattHours + i * per))
      a :: filled ::: repair(b :: rest)
    case short => short
