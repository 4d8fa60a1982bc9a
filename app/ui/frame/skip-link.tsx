import css from './skip-link.module.css'

/** The first element in tab order: skips the menus. */
export function SkipLink() {
  return (
    <a href="#contenido" className={css.skip}>
      Ir al contenido
    </a>
  )
}
