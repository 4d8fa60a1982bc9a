import css from './spinner.module.css'

/** A spinner. Where it stands alone, add text. */
export function Spinner() {
  return <span className={css.spinner} aria-hidden="true" />
}
