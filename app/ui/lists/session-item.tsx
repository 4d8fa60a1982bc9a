import type { ReactNode } from 'react'
import { Badge } from '#app/ui/feedback/badge.tsx'
import { Time } from '#app/ui/text/time.tsx'
import { Item } from './item-list.tsx'

export type ShownSession = {
  id: string
  device: string
  ip: string
  place: 'here' | 'elsewhere'
  lastSeenAt: number
  began: string
  seen: string
}

/** A session of an account. */
export function SessionItem({ session, action }: { session: ShownSession; action: ReactNode }) {
  const { device, ip, place, lastSeenAt, began, seen } = session
  return (
    <Item
      icon="device"
      name={device}
      badge={place === 'here' && <Badge tone="good">Esta sesión</Badge>}
      action={action}
    >
      <p>
        {ip} · inició el {began}
      </p>
      <p>
        Última actividad: <Time at={lastSeenAt}>{seen}</Time>
      </p>
    </Item>
  )
}
