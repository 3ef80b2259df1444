class ApplicationController < ActionController::Base
  private

  def current_member
    @current_member ||= Member.find_by(id: session[:member_id])
  end
  helper_method :current_member
end
