document.querySelectorAll('form[data-confirm]').forEach((f) => {
  f.addEventListener('submit', (e) => confirm(f.dataset.confirm) || e.preventDefault());
});
