package meterflow.model

import java.time.Instant

class GapsSuite extends munit.FunSuite:
  private val m = MeterId.parse("NL00000001").toOption.get
  private def at(minutes: Int, wh: Long) = Reading(m, Instant.EPOCH.plusSeconds(minutes * 60L), wh)

  test("no gap, no change") {
    assertEquals(Gaps.repair(List(at(0, 0), at(15, 10))).size, 2)
  }

  test("one missing reading is put in the middle") {
    assertEquals(Gaps.repair(List(at(0, 0), at(30, 10)))(1).wattHours, 5L)
  }

  test("a single reading stays") {
    assertEquals(Gaps.repair(List(at(0, 0))), List(at(0, 0)))
  }
