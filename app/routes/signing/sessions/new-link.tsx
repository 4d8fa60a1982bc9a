import css from '#app/routes/signing/guests/guest.module.css'
import { Notice } from '#app/ui/feedback/notice.tsx'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import { Fact, FactList } from '#app/ui/text/fact-list.tsx'
import type { newLinkView } from './signer-link-view.ts'

type Props = { link: ReturnType<typeof newLinkView>; name: string }

/** A new link, to scan from the screen or to type. */
export function NewLink({ link, name }: Props) {
  const { qr } = link
  const side = qr.size + 8
  return (
    <Sheet title={`Para ${name}`}>
      <div className={css.newLink}>
        <svg
          className={css.qr}
          viewBox={`-4 -4 ${side} ${side}`}
          role="img"
          aria-label={`Código QR del enlace de ${name}`}
          shapeRendering="crispEdges"
        >
          <path d={qr.path} />
        </svg>
        <div className={css.notice}>
          <p>Pida a la persona que lo escanee con el equipo en el que va a firmar.</p>
          <FactList>
            <Fact name="O escriba la dirección">{link.page}</Fact>
            <Fact name="y el código">
              <code className={css.code}>{link.code}</code>
            </Fact>
            <Fact name="Todo en un enlace">
              <code className={css.code}>{link.address}</code>
            </Fact>
            <Fact name="Vence">{link.expires}</Fact>
          </FactList>
          <Notice tone="wait" isLive={false}>
            No se volverá a mostrar. Quien lo abra primero es quien firma con él.
          </Notice>
        </div>
      </div>
    </Sheet>
  )
}
