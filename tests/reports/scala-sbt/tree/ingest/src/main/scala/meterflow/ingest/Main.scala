package meterflow.ingest

import java.util.Properties
import org.apache.kafka.clients.consumer.KafkaConsumer
import scala.jdk.CollectionConverters.*

/** Reads topic `readings` and writes to Cassandra until it is stopped. */
object Main:
  def main(args: Array[String]): Unit =
    val p = Properties()
    p.put("bootstrap.servers", sys.env.getOrElse("KAFKA", "localhost:9092"))
    p.put("group.id", "meterflow-ingest")
    val consumer = KafkaConsumer[String, String](p)
    consumer.subscribe(List("readings").asJava)
    val store = Store.connect(sys.env.getOrElse("CASSANDRA", "localhost:9042"))
    while true do
      for r <- consumer.poll(java.time.Duration.ofSeconds(1)).asScala do
        Line.parse(r.value).foreach(store.write)
