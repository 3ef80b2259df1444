plugins {
    alias(libs.plugins.android.library)
    alias(libs.plugins.kotlin.android)
}

android {
    namespace = "example.waxwing.sync"
    compileSdk = 34
    defaultConfig { minSdk = 26 }
}

dependencies {
    implementation(project(":core"))
    implementation(libs.retrofit)
    implementation(libs.work.runtime)
    testImplementation(libs.junit)
}
