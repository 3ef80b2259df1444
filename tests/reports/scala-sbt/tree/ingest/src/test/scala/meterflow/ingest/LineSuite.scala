package meterflow.ingest

class LineSuite extends munit.FunSuite:
  test("a reading") {
    assert(Line.parse("NL00000001;2024-01-01T00:00:00Z;42").isRight)
  }

  test("something else") {
    assert(Line.parse("hello").isLeft)
  }
