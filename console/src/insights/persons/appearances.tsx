import classes from './appearances.module.css';

/** A square for each interval, which is filled if the person counts there. */
export function Appearances({
  appearances,
  labels,
}: {
  readonly appearances: readonly number[];
  readonly labels: readonly string[];
}) {
  return (
    <div className={classes.strip} role="img" aria-label={appearancesText(appearances, labels)}>
      {appearances.map((is, at) => (
        <span key={at} className={is === 1 ? `${classes.square} ${classes.filled}` : classes.square} />
      ))}
    </div>
  );
}

export const appearancesText = (appearances: readonly number[], labels: readonly string[]): string =>
  labels.filter((_, at) => appearances[at] === 1).join(', ');
