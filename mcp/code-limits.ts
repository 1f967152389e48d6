import type { CodeDetail } from '@mayfly-mail/sdk'

/** What limits a code: "valid for 10 minutes, only at shop.example". Empty without a limit. */
export const limitsOf = ({ expiresInSeconds, boundTo }: CodeDetail): string => [
  ...expiresInSeconds === null ? [] : [`valid for ${durationText(expiresInSeconds)}`],
  ...boundTo === null ? [] : [`only at ${boundTo}`],
].join(', ')

/** In the largest unit that needs no fraction. */
function durationText(seconds: number): string {
  const [name, size] = units.find(([, size]) => seconds % size === 0)!
  return `${seconds / size} ${name}${seconds === size ? '' : 's'}`
}
const units = [['day', 86_400], ['hour', 3_600], ['minute', 60], ['second', 1]] as const
