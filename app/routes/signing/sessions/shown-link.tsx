import { Notice } from '#app/ui/feedback/notice.tsx'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import { Fact, FactList } from '#app/ui/text/fact-list.tsx'
import { QrPicture } from '#app/ui/text/qr-picture.tsx'
import { LinkTools } from './link-tools.tsx'
import css from './signer-link.module.css'
import type { ShownLinkView, SignerLinkView } from './signer-link-view.ts'

/** A link that was not opened yet, to scan, copy, share, print or type. Printed, it is the whole page. */
export function ShownLink({ link, view }: { link: ShownLinkView; view: SignerLinkView }) {
  return (
    <Sheet title={`Para ${view.name}`}>
      <div className={css.onPaper}>
        <p>
          {view.office} le pide su firma en “{view.session}”. {view.character}.
        </p>
        <ol>
          <li>Tenga a la mano los archivos .cer y .key de su e.firma y su contraseña.</li>
          <li>
            Escanee el código, o escriba la dirección y el código, en el equipo donde firmará.
          </li>
          <li>Lea el documento y fírmelo.</li>
        </ol>
      </div>
      <div className={css.shown}>
        <QrPicture qr={link.qr} label={`Código QR del enlace de ${view.name}`} />
        <div className={css.lines}>
          <p className={css.onScreen}>
            Pida a la persona que lo escanee con el equipo en el que va a firmar, o envíele el
            enlace.
          </p>
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
          <LinkTools address={link.address} session={view.session} office={view.office} />
          <p className={css.onPaper}>
            Es personal: quien lo abra primero es quien firma con él. No lo comparta.
          </p>
          <div className={css.onScreen}>
            <Notice tone="wait" isLive={false}>
              Quien lo abra primero es quien firma con él. Por seguridad se muestra solo en este
              navegador, hasta el {link.shownUntil}; después ya no se puede volver a mostrar.
            </Notice>
          </div>
        </div>
      </div>
    </Sheet>
  )
}
