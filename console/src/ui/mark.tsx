/** The mark of the product: three members of one group. The file favicon.svg is the same. */
export function Mark({ size }: { readonly size: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden style={{ flex: 'none' }}>
      <rect width="32" height="32" rx="8" fill="#4c51e0" />
      <circle cx="11" cy="12" r="4" fill="#fff" />
      <circle cx="21" cy="12" r="4" fill="#fff" opacity=".75" />
      <circle cx="16" cy="21" r="4" fill="#fff" opacity=".5" />
    </svg>
  );
}
