package example.waxwing

import androidx.compose.foundation.lazy.LazyColumn
import androidx.compose.material3.Text
import androidx.compose.runtime.Composable

/** Today's sightings, newest first. */
@Composable
fun SightingList() {
    LazyColumn { item { Text("Nothing yet") } }
}
