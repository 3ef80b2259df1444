package example.waxwing.sync

import org.junit.Assert.assertEquals
import org.junit.Test

class UploadWorkerTest {
    @Test
    fun nothingToUpload() = assertEquals(0, UploadWorker.batches(emptyList<Int>()).size)

    @Test
    fun batchesOfFifty() = assertEquals(3, UploadWorker.batches((1..101).toList()).size)
}
