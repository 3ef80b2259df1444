local trail = require("footfall.trail")

describe("trail", function()
  before_each(trail.clear)

  it("keeps the newest first", function()
    trail.step("a.lua", 3, 10)
    trail.step("a.lua", 9, 10)
    assert.same({ 9, 3 }, trail.of("a.lua")["a.lua"])
  end)

  it("drops what is too old", function()
    for line = 1, 5 do
      trail.step("a.lua", line, 2)
    end
    assert.same({ 5, 4 }, trail.of("a.lua")["a.lua"])
  end)

  it("ignores buffers without a name", function()
    trail.step("", 1, 10)
    assert.same({}, trail.of(nil))
  end)
end)
