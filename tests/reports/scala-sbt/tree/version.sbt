ThisBuild / version := "0.11.0-SNAPSHOT"
