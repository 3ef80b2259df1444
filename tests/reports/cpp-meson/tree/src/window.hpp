#pragma once

#include <gtkmm/applicationwindow.h>
#include <gtkmm/label.h>

/// Shows one song; a click or the pedal turns the page.
class Window : public Gtk::ApplicationWindow {
public:
    Window();

private:
    Gtk::Label text;
};
