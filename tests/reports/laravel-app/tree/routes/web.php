<?php

use App\Http\Controllers\BoxController;
use App\Http\Controllers\PauseController;
use Illuminate\Support\Facades\Route;

Route::get('/', [BoxController::class, 'index']);
Route::middleware('auth')->group(function () {
    Route::post('/boxes/{box}/choose', [BoxController::class, 'choose']);
    Route::post('/pauses', [PauseController::class, 'store']);
});
