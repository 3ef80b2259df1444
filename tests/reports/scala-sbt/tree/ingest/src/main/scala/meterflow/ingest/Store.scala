package meterflow.ingest

import com.datastax.oss.driver.api.core.CqlSession
import meterflow.model.Reading

/** Readings in Cassandra, partitioned by meter and day. */
final class Store(session: CqlSession):
  private val insert = session.prepare("INSERT INTO meterflow.readings (meter, day, at, wh) VALUES (?, ?, ?, ?)")
  def write(r: Reading): Unit = session.execute(insert.bind(r.meter.toString, r.at.toString.take(10), r.at, r.wattHours))

object Store:
  def connect(address: String): Store = Store(CqlSession.builder().build())
