require "rails_helper"

RSpec.describe "Borrowing", type: :system do
  it "shows the shelf" do
    visit "/"
    expect(page).to have_text "Tools"
  end
end
