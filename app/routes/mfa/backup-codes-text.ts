import { redirectDocument } from 'react-router'
import { actorContext, systemContext } from '#app/http/context.ts'
import { readBackupCodesCookie } from '#app/http/cookies/backup-codes-cookie.ts'
import { fullName } from '#server/domain/identity/person-name.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { formatDay } from '#server/domain/time.ts'
import type { Route } from './+types/backup-codes-text'

/** Downloads the codes that the page shows; redirects to the page if they are no longer shown. */
export function loader({ request, context }: Route.LoaderArgs) {
  const codes = readBackupCodesCookie(request, context)
  if (!codes) return redirectDocument('/setup-mfa/backup-codes')
  const { clock, settings } = context.get(systemContext)
  const lines = [
    'Rúbrica · códigos de respaldo',
    fullName(mustBeSignedIn(context.get(actorContext))),
    `${settings.publicOrigin} · ${formatDay(clock.now())}`,
    '',
    // Numbered as on the page, for crossing out used ones.
    ...codes.map((code, index) => `${String(index + 1).padStart(2)}. ${code}`),
    '',
    'Cada código sirve una vez, junto con su contraseña. Guárdelos fuera de su equipo.',
    '',
  ]
  return new Response(lines.join('\r\n'), {
    headers: {
      'Content-Type': 'text/plain; charset=utf-8',
      'Content-Disposition': 'attachment; filename="codigos-de-respaldo.txt"',
      'Cache-Control': 'no-store',
    },
  })
}
