package example.waxwing.sync

import retrofit2.http.Body
import retrofit2.http.POST

/** The county recorder's HTTP API. */
interface RecorderApi {
    @POST("v2/sightings")
    suspend fun upload(@Body batch: List<Map<String, String>>)
}
