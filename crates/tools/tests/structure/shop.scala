// A shop that sells tea.
package com.example.shop

import scala.collection.mutable
import com.example.tea.{Green, Black}

/** A shop. */
@deprecated("why")
class Shop[T <: Ware](val name: String = "secret") extends Base with Ware {
  /** Sells one tea. */
  def sell(name: String, amount: Int = 1)(implicit ctx: Context): Option[T] = {
    if (name.isEmpty) { for (x <- 1 to amount) { while (true) {} } }
    else if (amount > 1) { name match { case "a" => 1; case _ => 2 } }
    None
  }
  private def hidden() = 1
  def abstractly: Int
}

trait Ware { def price: Int }
object Main extends App { println("x") }
case class Pair(a: Int, b: Int)
object Other { def main(args: Array[String]): Unit = {} }
