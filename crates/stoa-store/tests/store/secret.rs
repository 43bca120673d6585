use stoa_base::Ambient;
use stoa_store::MIGRATIONS;
use stoa_store::secret::{SecretError, SecretKey, check_sentinel};
use stoa_testing::{TestDatabase, on_both};

fn key(test: &TestDatabase, name: &str) -> SecretKey {
    SecretKey::load_or_create(&test.folder.path().join(name), &Ambient::system()).unwrap()
}

on_both! {
    async fn a_start_with_the_same_key_is_let_in(test) with &[&MIGRATIONS]; {
        for _ in 0..2 {
            check_sentinel(&test.db, &key(&test, "a"), &Ambient::system()).await.unwrap();
        }
    }
}

on_both! {
    async fn a_start_with_another_key_is_refused_and_told_what_to_do(test) with &[&MIGRATIONS]; {
        let (right, wrong) = (key(&test, "a"), key(&test, "b"));
        check_sentinel(&test.db, &right, &Ambient::system()).await.unwrap();
        let error = check_sentinel(&test.db, &wrong, &Ambient::system()).await.unwrap_err();
        assert!(matches!(error, SecretError::OtherDatabase { .. }));
        for word in [right.id(), wrong.id(), "STOA_SECRET_KEY_FILE".to_owned()] {
            assert!(error.to_string().contains(&word), "{error}");
        }
        check_sentinel(&test.db, &right, &Ambient::system()).await.unwrap();
    }
}

on_both! {
    async fn of_two_first_starts_with_different_keys_one_is_refused(test) with &[&MIGRATIONS]; {
        let (a, b) = (key(&test, "a"), key(&test, "b"));
        let ambient = Ambient::system();
        let (first, second) =
            tokio::join!(check_sentinel(&test.db, &a, &ambient), check_sentinel(&test.db, &b, &ambient));
        assert_ne!(first.is_ok(), second.is_ok());
    }
}
