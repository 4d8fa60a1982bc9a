import css from './spinner.module.css'

/** Something is on its way. Whoever shows it alone says so in words too. */
export function Spinner() {
  return <span className={css.spinner} aria-hidden="true" />
}
