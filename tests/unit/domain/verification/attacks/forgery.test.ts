import { testFamilies } from '#tests/attacks/attack-suite.ts'
import { FORGERY } from '#tests/attacks/forgery.ts'
import { WRAPPING } from '#tests/attacks/wrapping.ts'

testFamilies([...FORGERY, ...WRAPPING])
