/** Cause: a deadlock. Transfers lock two accounts in the order of their arguments; two of them wait for each other for ever. */
final class Deadlock {
    private static final class Account {
        private long balance;
    }

    public static void main(String[] args) throws Exception {
        Account a = new Account();
        Account b = new Account();
        Thread one = Thread.ofPlatform().daemon().name("transfer-0").start(() -> transfer(a, b));
        Thread two = Thread.ofPlatform().daemon().name("transfer-1").start(() -> transfer(b, a));
        one.join(2000);
        two.join(1000);
        System.exit(0);
    }

    private static void transfer(Account from, Account to) {
        synchronized (from) {
            pause(100);
            synchronized (to) {
                from.balance--;
                to.balance++;
            }
        }
    }

    private static void pause(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
