import { PageLink } from '#app/ui/text/page-link.tsx'
import css from './reader.module.css'
import { linkTo, neighbours, parametersOf, type ReaderView, zoomsBeside } from './reader-view.ts'

/** Links through the document; each of them works without scripts. */
export function ReaderToolbar({ view }: { view: ReaderView }) {
  const { state, document, version, pages, shown } = view
  const { smaller, larger } = zoomsBeside(state.zoom)
  return (
    <div className={css.toolbar}>
      {pages > shown.length && (
        <>
          <Turning view={view} isShort />
          <JumpForm view={view} />
        </>
      )}
      <div className={css.group}>
        <Step to={smaller && linkTo(state, { zoom: smaller })} name="Reducir" part="smaller">
          −
        </Step>
        <span className={css.zoom}>{state.zoom} %</span>
        <Step to={larger && linkTo(state, { zoom: larger })} name="Ampliar" part="larger">
          +
        </Step>
      </div>
      <div className={css.group}>
        <PageLink className={css.step} to={linkTo(state, { turn: (state.turn + 90) % 360 })}>
          Girar
        </PageLink>
        <PageLink
          className={css.step}
          data-only="wide"
          to={linkTo(state, { isWhole: !state.isWhole })}
        >
          {state.isWhole ? 'Salir de pantalla completa' : 'Pantalla completa'}
        </PageLink>
        <a className={css.step} href={`${document}/download/${version}`}>
          <span className={css.more}>Abrir el </span>PDF
        </a>
        <a className={css.step} href={`${document}/text?version=${version}&pagina=${state.page}`}>
          <span className={css.more}>Leer como </span>
          <span className={css.rest}>texto</span>
        </a>
      </div>
    </div>
  )
}

/**
 * To the view before and after this one.
 *
 * @param isShort arrows instead of words on a phone
 */
export function Turning({ view, isShort }: { view: ReaderView; isShort?: true }) {
  const { previous, next } = neighbours(view)
  return (
    <div className={css.group}>
      <Step
        to={previous && linkTo(view.state, { page: previous })}
        part="previous"
        arrow={isShort && '‹'}
      >
        Anterior
      </Step>
      <Step to={next && linkTo(view.state, { page: next })} part="next" arrow={isShort && '›'}>
        Siguiente
      </Step>
    </div>
  )
}

function JumpForm({ view: { state, pages } }: { view: ReaderView }) {
  const kept = parametersOf({ ...state, page: 1 })
  return (
    <form method="get" action="#lector" className={css.jump}>
      {Object.entries(kept).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <label htmlFor="lector-pagina">Página</label>
      <input
        id="lector-pagina"
        name="pagina"
        type="number"
        min={1}
        max={pages}
        defaultValue={state.page}
        key={state.page}
        data-part="page"
      />
      <span>de {pages}</span>
      <button type="submit" className={css.step}>
        Ir
      </button>
    </form>
  )
}

type StepProps = {
  /** Undefined at the end: the place stays, without a link. */
  to: string | undefined | 0
  /** What screen readers say, if not the text. */
  name?: string
  part: string
  /** Stands on a phone for the words, which screen readers say there too. */
  arrow?: string | undefined
  children: string
}

function Step({ to, name, part, arrow, children }: StepProps) {
  const content = arrow ? (
    <>
      <span className={css.more}>{children}</span>
      <span className={css.arrow} aria-hidden="true">
        {arrow}
      </span>
    </>
  ) : (
    children
  )
  if (!to)
    return (
      <span className={css.step} aria-disabled="true">
        {content}
      </span>
    )
  return (
    <PageLink className={css.step} to={to} aria-label={name} data-part={part}>
      {content}
    </PageLink>
  )
}
