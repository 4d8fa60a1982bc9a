import css from './skip-link.module.css'

/** The first stop of the keyboard: over the menus to what the page says. */
export function SkipLink() {
  return (
    <a href="#contenido" className={css.skip}>
      Ir al contenido
    </a>
  )
}
