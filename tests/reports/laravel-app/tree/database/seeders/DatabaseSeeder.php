<?php

namespace Database\Seeders;

use App\Models\Box;
use Illuminate\Database\Seeder;

class DatabaseSeeder extends Seeder
{
    public function run(): void
    {
        Box::create(['size' => 'small', 'cents' => 1250]);
        Box::create(['size' => 'large', 'cents' => 1990]);
    }
}
