/** What another account must be given while one account or address attacks. */
export const bars = {
  httpP99Ms: 100,
  smtpP99Ms: 250,
  rssMegabytes: 600,
}

export const quietMs = 2_000
export const attackMs = 8_000

/** A request or mail of the measured account that takes longer counts as this long, and as an error. */
export const patienceMs = 5_000

/** A machine on which a timer of 5 ms comes later than this before the attack (p99) does other things as well. */
export const busyMachineMs = 15

/** How many connections an attack has; below the server's limit of streams and of SMTP sessions of an address. */
export const width = 95

/** By which the attackers are nicer than the others: the figures must show the server's fairness and not the scheduler's. */
export const niceness = 10

/** Where attackers connect from. The measured account comes from 127.0.0.1: limits count by address. */
export const attackersAddress = '127.0.0.2'
