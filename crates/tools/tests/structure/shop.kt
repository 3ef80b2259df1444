// A shop that sells tea.

package com.example.shop

import java.util.*
import com.example.tea.Tea as Leaf

/** A shop. */
@Serializable
data class Shop(val name: String = "secret", val teas: List<Leaf>) : Ware {
    /** Sells one tea. */
    @Throws(Exception::class)
    fun sell(name: String, amount: Int = 1): Leaf? {
        if (name.isEmpty() || amount == 0) {
            for (x in 1..amount) { while (true) {} }
        } else if (amount > 1) {
            when (amount) { 1 -> {} else -> {} }
        }
        return null
    }
    fun twice(x: Int) = x * 2
    private fun hidden() {}
    companion object {
        fun open() {}
    }
}

interface Ware {
    fun price(): Int
}
enum class State { OPEN, CLOSED }
object Till {
}
fun String.steep(): String = this

fun main() { println("x") }

class ShopTest {
    @Test
    fun `sells tea`() {}
}
