plugins {
    alias(libs.plugins.android.library)
    alias(libs.plugins.kotlin.android)
}

android {
    namespace = "example.waxwing.core"
    compileSdk = 34
    defaultConfig { minSdk = 26 }
}

dependencies {
    implementation(libs.room.runtime)
    testImplementation(libs.junit)
}
