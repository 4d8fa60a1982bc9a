import { Notice } from '#app/ui/feedback/notice.tsx'
import css from './person.module.css'
import type { linkView } from './person-view.ts'

type Props = { link: ReturnType<typeof linkView>; name: string }

/** A new link, shown large and in full: its code cannot be read again. */
export function NewLinkSheet({ link, name }: Props) {
  return (
    <Notice
      tone="note"
      title={link.isRecovery ? `Enlace de recuperación para ${name}` : `Invitación para ${name}`}
    >
      <dl className={css.link}>
        <dt>Dirección</dt>
        <dd>{link.page}</dd>
        <dt>Código</dt>
        <dd>
          <code className={css.code}>{link.code}</code>
        </dd>
        <dt>O todo en un enlace</dt>
        <dd>
          <code className={css.address}>{link.address}</code>
        </dd>
        <dt>Vence</dt>
        <dd>{link.expires}</dd>
      </dl>
      <p>
        Entréguelo en persona o por un medio seguro. Sirve una sola vez y no se volverá a mostrar:
        si se pierde, cree otro. También se le escribe por correo, si la notaría tiene servidor de
        correo.
      </p>
    </Notice>
  )
}
