// Runs before the page is drawn, so that a dark page never flashes white. A separate file, because the page's policy forbids inline scripts.
(function () {
  var scheme = 'auto';
  try {
    scheme = localStorage.getItem('mantine-color-scheme-value') || 'auto';
  } catch (_) {
    // Storage can be switched off; the system's scheme is then used.
  }
  var dark = scheme === 'dark' || (scheme === 'auto' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');
})();
