package meterflow.bench

import org.openjdk.jmh.annotations.*

@State(Scope.Benchmark)
class GapsBench:
  @Benchmark def empty(): Int = meterflow.model.Gaps.repair(Nil).size

object GapsBench:
  def main(args: Array[String]): Unit = println("use sbt bench/Jmh/run")
