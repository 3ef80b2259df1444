require "rails_helper"

RSpec.describe Tool do
  it "needs a name" do
    expect(described_class.new).not_to be_valid
  end

  it "is available without loans" do
    expect(described_class.new(name: "Drill")).to be_available
  end
end
