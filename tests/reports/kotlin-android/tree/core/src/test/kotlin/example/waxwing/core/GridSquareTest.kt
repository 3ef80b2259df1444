package example.waxwing.core

import org.junit.Assert.assertEquals
import org.junit.Assert.assertFalse
import org.junit.Assert.assertTrue
import org.junit.Test

class GridSquareTest {
    @Test
    fun fourFigures() = assertTrue(GridSquare.isValid("TQ3080"))

    @Test
    fun oddNumberOfDigits() = assertFalse(GridSquare.isValid("TQ308"))

    @Test
    fun coarser() = assertEquals("TQ38", GridSquare.coarser("TQ3080"))
}
