import { certificateStandings } from '#app/messages/certificates.ts'
import type { CertificateStanding } from '#server/domain/identity/held-certificate.ts'
import { Badge } from './badge.tsx'
import type { IconName } from './icon.tsx'
import type { Tone } from './tone.ts'

const LOOKS: Record<CertificateStanding, { tone: Tone; icon: IconName }> = {
  'in-force': { tone: 'good', icon: 'check' },
  expiring: { tone: 'wait', icon: 'clock' },
  expired: { tone: 'bad', icon: 'cross' },
  revoked: { tone: 'bad', icon: 'cross' },
  'not-yet-valid': { tone: 'plain', icon: 'clock' },
}

export function CertificateBadge({ standing }: { standing: CertificateStanding }) {
  return <Badge {...LOOKS[standing]}>{certificateStandings[standing]}</Badge>
}
