use std::sync::{Arc, Mutex};

use super::*;

/// A journal in memory.
#[derive(Clone, Default)]
struct Kept(Arc<Mutex<Vec<Posting>>>);

impl Journal for Kept {
    fn keep(&mut self, posting: &Posting) -> Option<Receipt> {
        self.0.lock().unwrap().push(posting.clone());
        None
    }
}

struct Bench {
    budget: BudgetHandle,
    kept: Kept,
    news: Arc<Mutex<Vec<BudgetNews>>>,
}

async fn bench(total: u32, promised: &[(&str, u32)]) -> Bench {
    let kept = Kept::default();
    let news = Arc::new(Mutex::new(Vec::new()));
    let told = Arc::clone(&news);
    let setup = BudgetSetup {
        ledger: Ledger::new(),
        journal: Box::new(kept.clone()),
        news: Box::new(move |news| told.lock().unwrap().push(news)),
    };
    let budget = BudgetHandle::start(setup).await.unwrap();
    budget.post(Posting::Open { total: Turns(total) });
    for (name, turns) in promised {
        budget.post(Posting::Promise { dir: RelPath::from(*name), turns: Turns(*turns) });
        budget.post(Posting::Start { dir: RelPath::from(*name), attempt: 1 });
    }
    Bench { budget, kept, news }
}

impl Bench {
    fn borrow(&self, name: &str, turns: u32) -> tokio::task::JoinHandle<Loan> {
        let (budget, dir) = (self.budget.clone(), RelPath::from(name));
        tokio::spawn(async move { budget.borrow(dir, 1, Turns(turns), Band(1)).await })
    }

    fn end(&self, name: &str) {
        self.budget.post(Posting::End { dir: RelPath::from(name), attempt: 1 });
    }

    /// Waits until somebody waits.
    async fn until_waiting(&self, count: usize) {
        while self.budget.totals().await.waiting != count {
            tokio::task::yield_now().await;
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_loop_that_waits_is_parked_and_served_by_what_comes_back() {
    let bench = bench(20, &[("a", 10), ("b", 10)]).await;
    let loan = bench.borrow("a", 4);
    bench.until_waiting(1).await;
    assert_eq!(*bench.news.lock().unwrap(), [BudgetNews::Parked(RelPath::from("a"))]);
    bench.end("b");
    assert_eq!(loan.await.unwrap(), Loan::Granted(Turns(4)));
    assert_eq!(bench.news.lock().unwrap().last(), Some(&BudgetNews::Unparked(RelPath::from("a"))));
    assert_eq!(bench.budget.account(RelPath::from("a")).await.borrowed, Turns(4));
}

#[tokio::test(start_paused = true)]
async fn a_wish_that_cannot_be_met_is_refused_with_a_reason() {
    let bench = bench(10, &[("a", 10)]).await;
    let Loan::Refused(why) = bench.borrow("a", 1).await.unwrap() else { panic!("it was granted") };
    assert_eq!(why, "no turns are free, and none will come back");
    assert_eq!(bench.budget.borrow_now(RelPath::from("a"), 1, Turns(3), Band(0)).await, Turns(0));
}

#[tokio::test(start_paused = true)]
async fn a_turn_that_was_paid_is_not_paid_again() {
    let bench = bench(10, &[("a", 2)]).await;
    let spend = |turn| bench.budget.spend(RelPath::from("a"), 1, turn);
    spend(1).await.unwrap();
    spend(1).await.expect("asked again after a crash, for instance");
    spend(2).await.unwrap();
    assert!(matches!(spend(3).await, Err(NoSpend::Odd(Odd::NothingLeft))));
    assert_eq!(bench.budget.totals().await.used, Turns(2));
}

#[tokio::test(start_paused = true)]
async fn whoever_waits_for_a_budget_that_ends_is_told() {
    let bench = bench(20, &[("a", 10), ("b", 10)]).await;
    let loan = bench.borrow("a", 1);
    bench.until_waiting(1).await;
    bench.budget.stop();
    assert_eq!(loan.await.unwrap(), Loan::Refused("the budget has ended".to_owned()));
    assert!(matches!(bench.budget.spend(RelPath::from("a"), 1, 1).await, Err(NoSpend::Gone)));
}

#[tokio::test(start_paused = true)]
async fn the_journal_replays_to_the_same_ledger() {
    let bench = bench(30, &[("a", 10), ("b", 10)]).await;
    for turn in 1..=3 {
        bench.budget.spend(RelPath::from("a"), 1, turn).await.unwrap();
    }
    bench.borrow("b", 5).await.unwrap();
    bench.end("a");
    let totals = bench.budget.totals().await;
    let mut replayed = Ledger::new();
    for posting in bench.kept.0.lock().unwrap().iter() {
        replayed.post(posting).unwrap();
    }
    assert_eq!((replayed.used(), replayed.free()), (totals.used, totals.free));
    assert_eq!(replayed.account(&RelPath::from("b")), bench.budget.account(RelPath::from("b")).await);
}
