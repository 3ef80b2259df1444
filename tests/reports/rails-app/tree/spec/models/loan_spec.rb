require "rails_helper"

RSpec.describe Loan do
  let(:loan) { described_class.new(started_on: Date.new(2024, 5, 1)) }

  it "is open until the tool is back" do
    expect(loan).to be_open
  end

  it "is not late within two weeks" do
    expect(loan.days_late(Date.new(2024, 5, 15))).to eq 0
  end

  it "is late after two weeks" do
    expect(loan.days_late(Date.new(2024, 5, 20))).to eq 5
  end
end
