plugins {
    alias(libs.plugins.android.application)
    alias(libs.plugins.kotlin.android)
}

android {
    namespace = "example.waxwing"
    compileSdk = 34

    defaultConfig {
        applicationId = "example.waxwing"
        minSdk = 26
        targetSdk = 34
        versionCode = 30902
        versionName = "3.9.2"
        buildConfigField("String", "API_URL", "\"https://api.waxwing.example/\"")
    }

    kotlinOptions { jvmTarget = "17" }
    buildFeatures { compose = true; buildConfig = true }
}

dependencies {
    implementation(project(":core"))
    implementation(project(":sync"))
    implementation(platform(libs.compose.bom))
    implementation(libs.compose.material3)
    testImplementation(libs.junit)
}
