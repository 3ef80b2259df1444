ThisBuild / organization := "example.meterflow"
ThisBuild / scalaVersion := "3.4.2"
ThisBuild / licenses := List("Apache-2.0" -> url("https://www.apache.org/licenses/LICENSE-2.0"))
ThisBuild / scalacOptions ++= Seq("-deprecation", "-Wunused:all", "-Xfatal-warnings")

lazy val munit = "org.scalameta" %% "munit" % "1.0.0" % Test

lazy val root = (project in file("."))
  .aggregate(model, ingest, rollup)
  .settings(name := "meterflow", publish / skip := true)

lazy val model = project
  .settings(name := "meterflow-model", libraryDependencies += munit)

lazy val ingest = project
  .dependsOn(model)
  .enablePlugins(JavaAppPackaging)
  .settings(
    name := "meterflow-ingest",
    Compile / mainClass := Some("meterflow.ingest.Main"),
    libraryDependencies ++= Seq(
      "org.apache.kafka" % "kafka-clients" % "3.7.1",
      "com.datastax.oss" % "java-driver-core" % "4.17.0",
      munit
    )
  )

lazy val rollup = project
  .dependsOn(model)
  .settings(name := "meterflow-rollup", libraryDependencies += "com.datastax.oss" % "java-driver-core" % "4.17.0")

lazy val bench = project
  .dependsOn(model)
  .enablePlugins(JmhPlugin)
  .settings(publish / skip := true)

addCommandAlias("ci", "scalafmtCheckAll; compile; test")
