import { type MouseEvent, useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import css from './stamp-page.module.css'
import type { StampFrame, StampView } from './stamp-view.ts'

/** The page with a frame around each place. With scripts a click finds the blank place nearest to it. */
export function StampPicture({ view }: { view: StampView & { returnUrl: string } }) {
  const { picture, shown, pages, offered, now, pointed } = view
  const point = usePointing(view)
  if (!picture) return <p className={css.quiet}>Esta página no se puede mostrar.</p>
  return (
    <>
      {point && (
        <p className={css.quiet}>
          Señale en la página dónde quiere la firma: se toma el lugar en blanco más cercano.
        </p>
      )}
      <div className={css.paper} style={{ aspectRatio: `${picture.width} / ${picture.height}` }}>
        <img
          src={picture.address}
          width={picture.width}
          height={picture.height}
          alt={`Página ${shown} de ${pages}`}
        />
        {offered.map((frame, index) => (
          <Frame key={frame.value} frame={frame} kind="offered" text={String(index + 1)} />
        ))}
        {now && !pointed && <Frame frame={now} kind="now" text="Firma" />}
        {pointed && <Frame frame={pointed} kind="pointed" text="Aquí" />}
        {/* With a keyboard the list has the same places. */}
        {point && (
          <button
            type="button"
            tabIndex={-1}
            className={css.pointer}
            aria-label="Señalar un lugar en la página"
            onClick={point}
          />
        )}
      </div>
    </>
  )
}

/** Undefined until scripts run. */
function usePointing({ shown, returnUrl }: { shown: number; returnUrl: string }) {
  const [isReady, setReady] = useState(false)
  const navigate = useNavigate()
  useEffect(() => setReady(true), [])
  if (!isReady) return undefined
  return ({ currentTarget, clientX, clientY }: MouseEvent<HTMLButtonElement>) => {
    const box = currentTarget.getBoundingClientRect()
    const thousandth = (part: number) => String(Math.round(1000 * Math.max(0, Math.min(part, 1))))
    const search = new URLSearchParams({
      pagina: String(shown),
      x: thousandth((clientX - box.left) / box.width),
      y: thousandth((clientY - box.top) / box.height),
      returnUrl,
    })
    void navigate(`?${search}`, { replace: true, preventScrollReset: true })
  }
}

type FrameProps = { frame: StampFrame; kind: 'offered' | 'now' | 'pointed'; text: string }

function Frame({ frame: { left, top, width, height }, kind, text }: FrameProps) {
  const place = {
    insetInlineStart: `${left / 10}%`,
    insetBlockStart: `${top / 10}%`,
    inlineSize: `${width / 10}%`,
    blockSize: `${height / 10}%`,
  }
  return (
    <div className={css.frame} data-kind={kind} style={place} aria-hidden="true">
      {text}
    </div>
  )
}
