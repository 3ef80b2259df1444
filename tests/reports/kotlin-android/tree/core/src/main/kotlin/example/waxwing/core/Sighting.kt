package example.waxwing.core

import androidx.room.Entity
import androidx.room.PrimaryKey

/** One sighting: a species, a number, a grid square. */
@Entity
data class Sighting(
    @PrimaryKey val id: String,
    val species: String,
    val count: Int,
    val square: String,
    val uploaded: Boolean = false,
)
