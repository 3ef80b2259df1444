package example.waxwing

import android.app.Application
import example.waxwing.sync.UploadWorker

/** Starts with the process: opens the database, schedules uploads. */
class WaxwingApp : Application() {
    override fun onCreate() {
        super.onCreate()
        UploadWorker.schedule(this)
    }
}
