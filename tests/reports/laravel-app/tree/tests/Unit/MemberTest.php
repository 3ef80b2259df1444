<?php

use App\Models\Member;
use App\Models\Pause;
use Illuminate\Support\Carbon;

function member(Pause ...$pauses): Member
{
    return (new Member)->setRelation('pauses', collect($pauses));
}

test('a member gets a box', fn () => expect(member()->getsBoxOn(Carbon::parse('2024-05-02')))->toBeTrue());

test('not in a pause', function () {
    $p = new Pause(['from' => '2024-05-01', 'until' => '2024-05-08']);
    expect(member($p)->getsBoxOn(Carbon::parse('2024-05-02')))->toBeFalse();
});

test('again after it', function () {
    $p = new Pause(['from' => '2024-05-01', 'until' => '2024-05-08']);
    expect(member($p)->getsBoxOn(Carbon::parse('2024-05-09')))->toBeTrue();
});
