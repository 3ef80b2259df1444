package example.waxwing.core

/** Grid squares of two letters and an even number of digits, as recorders use them. */
object GridSquare {
    private val form = Regex("[A-HJ-Z]{2}(\\d\\d){1,5}")

    fun isValid(text: String) = form.matches(text)

    fun coarser(text: String): String {
        require(isValid(text)) { "no grid square: $text" }
        val digits = text.drop(2)
        val half = digits.length / 2
        if (half == 1) return text
        return text.take(2) + digits.take(half - 1) + digits.drop(half).take(half - 1)
    }
}
